export { SignInDialog } from './sign-in-dialog.js';
export { SignInPage } from './sign-in-page.js';
