import type { StoredKey } from './key-storage.js';

/** Messages between the open tabs. The page of the API documentation handles "signed-out" too. */
type TabMessage = { type: 'key-request' } | { type: 'signed-in'; stored: StoredKey } | { type: 'signed-out' };

const channel = new BroadcastChannel('petstore.session');

export function sendToTabs(message: TabMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target: it connects one origin.
  channel.postMessage(message);
}

/** Calls back when another tab has sent a message. */
export function onTabMessage(callback: (message: TabMessage) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => callback(data));
}
