/** Code that only some pages need. */
export const loadNewPetPage = () => import('../features/pets/new-pet-page.js');
export const loadExportPage = () => import('../features/export/export-page.js');
export const loadImportPage = () => import('../features/import/import-page.js');
export const loadLabelsPage = () => import('../features/labels/labels-page.js');
export const loadSignIn = () => import('../features/sign-in/sign-in.js');
export const loadShortcutsDialog = () => import('./shortcuts-dialog.js');
export const loadOpenMenu = () => import('./open-menu.js');
