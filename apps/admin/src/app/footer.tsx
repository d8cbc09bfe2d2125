import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Select } from '../shared/select.js';
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
      <Select label="Colours" options={schemes} value={colorScheme} onChange={setColorScheme} />
      <a href="/docs" className={classes.docs}>
        API documentation
      </a>
    </footer>
  );
}
