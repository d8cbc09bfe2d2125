/** Code that only some pages need. */
export const loadOverviewPage = () => import('../features/overview/overview-page.js');
export const loadRecordPage = () => import('../features/record/record-page.js');
export const loadNewPetPage = () => import('../features/add/new-pet-page.js');
export const loadExportPage = () => import('../features/export/export-page.js');
export const loadImportPage = () => import('../features/import/import-page.js');
export const loadLabelsPage = () => import('../features/labels/labels-page.js');
export const loadGuidePage = () => import('../features/guide/guide-page.js');
export const loadSignIn = () => import('../features/sign-in/sign-in.js');
export const loadMenu = () => import('./menu.js');
export const loadScanDialog = () => import('../features/scan/scan-dialog.js');
const loadToolbarMenus = () => import('../features/list/toolbar-menus.js');
const loadFindList = () => import('../features/find/find-list.js');

const loaders = [
  loadSignIn,
  loadRecordPage,
  loadNewPetPage,
  loadOverviewPage,
  loadMenu,
  loadFindList,
  loadLabelsPage,
  loadImportPage,
  loadExportPage,
  loadScanDialog,
  loadToolbarMenus,
  loadGuidePage,
];

/** Loads the code of all pages while the browser has nothing else to do: the network may be down when it is needed. */
export async function loadAllCode(): Promise<void> {
  for (const load of loaders) {
    await idle();
    // The page that needs the code shows the error.
    await load().catch(() => undefined);
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}
