// The tab keeps the key until the person signs out of the admin, in any tab.
const name = 'petstore.docs.authorized';

/** Stores the authorization in sessionStorage. Swagger UI's `persistAuthorization` would use localStorage. */
export const sessionKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        // Swagger UI calls it after each change.
        persistAuthorizationIfNeeded:
          (_original, { authSelectors }) =>
          () =>
            tryStorage(() => sessionStorage.setItem(name, JSON.stringify(authSelectors.authorized()))),
      },
    },
  },
});

/** Restores the authorization of this tab, or authorizes with a key. */
export function restoreKey({ authActions }, key) {
  // Earlier versions left the key here.
  tryStorage(() => localStorage.removeItem('authorized'));
  const stored = tryStorage(() => sessionStorage.getItem(name));
  if (key) {
    const apiKey = { name: 'apiKey', schema: { type: 'http', scheme: 'bearer' }, value: key };
    authActions.authorizeWithPersistOption({ apiKey });
  } else if (stored) {
    authActions.restoreAuthorization({ authorized: JSON.parse(stored) });
  }
}

/** Forgets the key when the person signs out of the admin in another tab. */
export function followSignOut({ authActions }) {
  const channel = new BroadcastChannel('petstore.session');
  channel.addEventListener('message', ({ data }) => {
    if (data.type === 'signed-out') authActions.logoutWithPersistOption(['apiKey']);
  });
}

/** A browser that blocks storage throws. The key is then lost when the page is closed. */
function tryStorage(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
