// Applies Swagger UI's dark theme when the system prefers it. Loaded in the head, so that the page never flashes white.
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', applyTheme);
applyTheme();
