/** What other features may import. */
export { rememberDraftLike } from './pet-draft.js';
