import { tryStorage } from './browser-storage.js';

/**
 * Connects the open tabs of this browser. Returns the function that sends a message to the others. A browser without
 * channels, or one that blocks storage, sends nothing.
 */
export function connectTabs<Message>(name: string, onMessage: (message: Message) => void): (message: Message) => void {
  const channel = tryStorage(() => new BroadcastChannel(name));
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target: it connects one origin.
  return (message) => channel?.postMessage(message);
}
