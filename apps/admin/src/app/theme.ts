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
    Autocomplete: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
  },
});

/** Replaces Mantine's colors that are too faint (WCAG 2.2: 4.5:1 for text, 3:1 for the borders of fields) or too loud. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
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
