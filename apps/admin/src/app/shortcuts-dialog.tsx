import { Kbd } from '@mantine/core';
import { Dialog } from '../shared/dialog.js';
import classes from './layout.module.css';

const shortcuts = [
  { keys: ['Ctrl', 'k'], action: 'Find animals, pages and actions' },
  { keys: ['/'], action: 'The same' },
  { keys: ['0', '…', '9'], action: 'Find an animal by number' },
  { keys: ['Shift', 'Enter'], action: 'Show all results of a search' },
  { keys: ['?'], action: 'Show this help' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={classes.shortcuts}>
        {shortcuts.map(({ keys, action }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
