import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type SessionModule = typeof import('../src/shared/session.js');

class MemoryStorage {
  private readonly items = new Map<string, string>();
  getItem = (name: string) => this.items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.items.set(name, value);
  removeItem = (name: string) => void this.items.delete(name);
  clear = () => this.items.clear();
}

let device: MemoryStorage;
let storageListeners: ((event: Pick<StorageEvent, 'key'>) => void)[];
beforeEach(() => {
  device = new MemoryStorage();
  storageListeners = [];
  vi.stubGlobal('localStorage', device);
});
afterEach(() => vi.unstubAllGlobals());

/** A tab: a module of its own, with its own `sessionStorage`. All tabs share one `localStorage`. */
async function openTab(): Promise<SessionModule & { storage: MemoryStorage }> {
  vi.resetModules();
  const storage = new MemoryStorage();
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('addEventListener', (type: string, listener: (typeof storageListeners)[number]) => {
    if (type === 'storage') storageListeners.push(listener);
  });
  return { ...(await import('../src/shared/session.js')), storage };
}

describe('a key', () => {
  it('of the device signs in a new tab', async () => {
    device.setItem('petstore.key', 'shared');
    const { currentSession } = await openTab();
    expect(currentSession()).toEqual({ key: 'shared', isShared: true });
  });

  it('of a tab stays in the tab, until the person keeps it on the device', async () => {
    const { signIn, keepSignedIn, storage } = await openTab();
    const stored = () => [storage, device].map((place) => place.getItem('petstore.key'));
    signIn({ key: 'one', isShared: false });
    expect(stored()).toEqual(['one', null]);
    keepSignedIn(true);
    expect(stored()).toEqual([null, 'one']);
  });

  it('of a tab leaves the key of the device to the other tabs, also when it is rejected', async () => {
    device.setItem('petstore.key', 'shared');
    const { signIn, rejectKey } = await openTab();
    signIn({ key: 'one', isShared: false });
    rejectKey('one', new Error('unknown'));
    expect((await openTab()).currentSession()).toEqual({ key: 'shared', isShared: true });
  });

  it('that is rejected at once ends the session, with the reason', async () => {
    const { signIn, rejectKey, currentSession } = await openTab();
    signIn({ key: 'one', isShared: true });
    rejectKey('one', new Error('unknown'));
    expect([currentSession(), device.getItem('petstore.key')]).toEqual([undefined, null]);
  });

  it('that is rejected later keeps the session, with the reason', async () => {
    const { signIn, acceptKey, rejectKey, currentSession } = await openTab();
    signIn({ key: 'one', isShared: true });
    acceptKey('one');
    rejectKey('another', new Error('late answer'));
    expect(currentSession()?.rejection).toBeUndefined();
    rejectKey('one', new Error('revoked'));
    expect(currentSession()).toMatchObject({ key: 'one', rejection: { message: 'revoked' } });
    expect((await openTab()).currentSession()).toBeUndefined();
  });
});

describe('a sign-in link', () => {
  const generated = `psk_${'aB3-_'.repeat(8)}xyz`;

  it.each([
    [`/#key=${generated}).`, generated, '/'],
    [`/#key=${generated}%20Sent%20from%20my%20phone`, generated, '/'],
    [`/pets?status=sold%23key%3D${generated},`, generated, '/pets?status=sold'],
    ['/#key=another.form-of/key?&utm_source=mail', 'another.form-of/key?', '/'],
    ['/#key=with%26and%20', 'with&and', '/'],
    ['/pets%23key=another.form-of/key?utm_source=mail', 'another.form-of/key', '/pets'],
    // Longer than a generated key.
    [`/#key=${generated}0000`, `${generated}0000`, '/'],
    ['/#key=', undefined, '/'],
  ])('%s has the key %s and becomes %s', async (link, key, address) => {
    const { pathname, search, hash } = new URL(link, 'http://localhost');
    vi.stubGlobal('location', { pathname, search, hash, origin: 'http://localhost' });
    const replaceState = vi.fn<History['replaceState']>();
    vi.stubGlobal('history', { state: null, replaceState });
    const { followSignInLinks, currentSession } = await openTab();
    followSignInLinks();
    expect(currentSession()?.key).toBe(key);
    expect(replaceState).toHaveBeenLastCalledWith(null, '', address);
  });
});

it('a sign-out in another tab signs out this one, whatever key it has, and clears its storage', async () => {
  const { signIn, currentSession, storage } = await openTab();
  signIn({ key: 'one', isShared: false });
  storage.setItem('petstore.draft', 'Half a name');
  for (const notify of storageListeners) notify({ key: 'petstore.key' });
  expect(currentSession()).toEqual({ key: 'one', isShared: false });
  for (const notify of storageListeners) notify({ key: 'petstore.signed-out' });
  expect(currentSession()).toBeUndefined();
  expect(['petstore.key', 'petstore.draft'].map(storage.getItem)).toEqual([null, null]);
});
