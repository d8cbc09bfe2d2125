import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type SessionModule = typeof import('../src/shared/session.js');

const open: BroadcastChannel[] = [];

class MemoryStorage {
  private readonly items = new Map<string, string>();
  getItem = (name: string) => this.items.get(name) ?? null;
  setItem = (name: string, value: string) => void this.items.set(name, value);
  removeItem = (name: string) => void this.items.delete(name);
  clear = () => this.items.clear();
}

/** A tab: a module of its own, with its own `sessionStorage`. All tabs share one `localStorage`. */
async function openTab(): Promise<SessionModule & { storage: MemoryStorage }> {
  vi.resetModules();
  const storage = new MemoryStorage();
  vi.stubGlobal('sessionStorage', storage);
  return { ...(await import('../src/shared/session.js')), storage };
}

let device: MemoryStorage;
beforeEach(() => {
  device = new MemoryStorage();
  vi.stubGlobal('localStorage', device);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal(
    'BroadcastChannel',
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        open.push(this);
      }
    },
  );
});
afterEach(() => {
  for (const channel of open.splice(0)) channel.close();
  vi.unstubAllGlobals();
});

describe('a key', () => {
  it('of the device signs in a new tab', async () => {
    device.setItem('petstore.key', 'shared');
    const { currentSession } = await openTab();
    expect(currentSession()).toEqual({ key: 'shared', isShared: true });
  });

  it('that is rejected later keeps the session, with the reason', async () => {
    const { signIn, acceptKey, rejectKey, currentSession } = await openTab();
    signIn({ key: 'one', isShared: false });
    acceptKey('one');
    rejectKey('another', new Error('late answer'));
    expect(currentSession()?.rejection).toBeUndefined();
    rejectKey('one', new Error('revoked'));
    expect(currentSession()).toMatchObject({ key: 'one', rejection: { message: 'revoked' } });
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

describe('tabs', () => {
  it('keep their own key when another tab signs in, and are signed out together', async () => {
    const first = await openTab();
    first.signIn({ key: 'one', isShared: false });
    const second = await openTab();
    second.signIn({ key: 'two', isShared: false });
    await vi.waitFor(() => expect(first.currentSession()?.key).toBe('one'));
    second.signOut();
    await vi.waitFor(() => expect(first.currentSession()).toBeUndefined());
    expect(second.storage.getItem('petstore.key')).toBeNull();
  });
});
