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

/** Shows and copies curl commands with a variable instead of the key, which would end up in screenshots. */
export const curlWithoutKey = () => ({
  wrapComponents: {
    curl: (Original, { React }) =>
      function CurlWithoutKey(props) {
        return React.createElement(Original, { ...props, request: withoutKey(props.request) });
      },
  },
});

function withoutKey(request) {
  if (!request.hasIn(['headers', 'Authorization'])) return request;
  // Swagger UI quotes headers, so that a shell would not replace the variable. It does not quote these options.
  const option = '-H "Authorization: Bearer $PETSTORE_API_KEY"';
  // The options must be an immutable list, which only the bundle of Swagger UI can create.
  const curlOptions = request.toList().clear().push(option);
  return request.deleteIn(['headers', 'Authorization']).set('curlOptions', curlOptions);
}

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
