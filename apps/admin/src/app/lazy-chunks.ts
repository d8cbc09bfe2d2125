/** Code that only some pages need. */
export const loadNewPetPage = () => import('../features/pets/new-pet-page.js');
export const loadSignIn = () => import('../features/sign-in/sign-in.js');
