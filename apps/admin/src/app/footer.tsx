import { type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import classes from './layout.module.css';

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function Footer() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <footer className={classes.footer}>
      <NativeSelect
        label="Colours"
        size="sm"
        className={classes.colours}
        data={schemes}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
      />
      <a href="/docs" className={classes.docs}>
        API documentation
      </a>
    </footer>
  );
}
