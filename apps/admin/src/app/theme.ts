import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Contrast: 5.6:1 on white (shade 7), 8:1 on the dark page (shade 4). */
const spruce = [
  '#eefaf5',
  '#d8f3e8',
  '#b0e6d1',
  '#82d6b7',
  '#55c39c',
  '#2fab83',
  '#1a8f6c',
  '#0f7558',
  '#0a5e47',
  '#06432f',
] as const;

/** The dark scheme, from its text to its page. */
const dark = [
  '#e6ebe8',
  '#c8d0cb',
  '#9da7a1',
  '#78827c',
  '#3d4641',
  '#303834',
  '#1d2320',
  '#141917',
  '#101412',
  '#0b0e0c',
] as const;

export const theme = createTheme({
  colors: { spruce, dark },
  primaryColor: 'spruce',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  black: '#17211c',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Button: { defaultProps: { size: 'md', variant: 'filled' } },
    TextInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
  },
});

/**
 * The colors of our components, and those of Mantine that are too faint (WCAG 2.2: 4.5:1 for text, 3:1 for the borders of
 * fields) or too loud.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--surface': '#fff',
    '--surface-quiet': '#f1f4f2',
    '--line': '#dfe5e1',
    '--available': '#1a8f6c',
    '--available-text': '#0a5e47',
    '--available-tint': '#dcf2e8',
    '--pending': '#b7791f',
    '--pending-text': '#7a4a00',
    '--pending-tint': '#fbecca',
    '--sold-text': '#434d57',
    '--sold-tint': '#e6e9ec',
    '--mantine-color-body': '#f7f9f8',
    '--mantine-color-dimmed': '#55615a',
    '--mantine-color-placeholder': '#6b7770',
    '--mantine-color-error': '#bb2830',
    '--mantine-color-default-border': '#79857e',
    '--mantine-color-red-light': '#fdeeee',
    '--mantine-color-red-light-color': '#a31d24',
    '--mantine-color-spruce-light': '#e3f4ec',
    '--mantine-color-spruce-light-color': '#0f7558',
    '--mantine-color-spruce-light-hover': '#d8f3e8',
    '--mantine-color-yellow-light': '#fdf3dc',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-disabled-color': '#6b7770',
  },
  dark: {
    '--surface': '#1a201d',
    '--surface-quiet': '#242b27',
    '--line': '#303834',
    '--available': '#55c39c',
    '--available-text': '#7fd9b6',
    '--available-tint': '#1a3a2f',
    '--pending': '#e0a84b',
    '--pending-text': '#f0c47a',
    '--pending-tint': '#3d3118',
    '--sold-text': '#c3cad1',
    '--sold-tint': '#2c333a',
    '--mantine-color-placeholder': '#8b958f',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-default-border': '#78827c',
    '--mantine-color-default-color': 'var(--mantine-color-text)',
    '--mantine-color-red-light': '#3a1f20',
    '--mantine-color-red-light-color': '#ffb3b3',
    '--mantine-color-spruce-light': '#1d3a30',
    '--mantine-color-spruce-light-color': '#55c39c',
    '--mantine-color-yellow-light': '#3a2f1a',
    '--mantine-color-yellow-light-color': '#e0a84b',
    '--mantine-color-disabled-color': '#8b958f',
    '--mantine-primary-color-contrast': '#06251a',
  },
});

/** Every theme prints dark on white. */
export function printLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  matchMedia('print').addEventListener('change', ({ matches: isPaper }) => {
    if (isPaper) shown = dataset['mantineColorScheme'];
    dataset['mantineColorScheme'] = isPaper ? 'light' : shown;
  });
}
