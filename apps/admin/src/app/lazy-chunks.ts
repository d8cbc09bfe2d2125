/** The parts of the code that not every page needs. */
export const loadNewPetPage = () => import('../features/pets/new-pet-page.js');
export const loadSignIn = () => import('../features/sign-in/sign-in.js');
