/* global SwaggerUIBundle */
import { addAccessibleNames } from './accessible-names.js';
import { exactResponses } from './exact-responses.js';
import { foldedIntroduction, thisService } from './layout.js';
import { curlWithoutKey, followSignOut, restoreKey, sessionKey } from './session-key.js';

// The link of the first start carries the key after the "#", which browsers do not send. It leaves the address bar at once.
const key = new URLSearchParams(location.hash.slice(1)).get('key');
if (key) history.replaceState(null, '', location.pathname);

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: !key,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  syntaxHighlight: false,
  validatorUrl: null,
  plugins: [curlWithoutKey, exactResponses, foldedIntroduction, sessionKey, thisService],
  onComplete: () => restoreKey(ui, key),
});
followSignOut(ui);
addAccessibleNames(document.querySelector('#swagger-ui'));
