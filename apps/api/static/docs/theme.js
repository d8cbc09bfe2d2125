// Applies Swagger UI's dark theme as chosen in the admin, or else as the system prefers. In the head: no white flash.
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => {
  const choice = storedTheme();
  const isDark = choice === 'dark' || (choice !== 'light' && prefersDark.matches);
  document.documentElement.classList.toggle('dark-mode', isDark);
};
prefersDark.addEventListener('change', applyTheme);
// The admin may change it in another tab.
addEventListener('storage', applyTheme);
applyTheme();

/** `undefined` if the browser blocks storage. */
function storedTheme() {
  try {
    return localStorage.getItem('mantine-color-scheme-value');
  } catch {
    return undefined;
  }
}
