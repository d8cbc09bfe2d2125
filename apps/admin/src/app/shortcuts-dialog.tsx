import { Kbd } from '@mantine/core';
import { Dialog } from '../shared/dialog.js';
import { useShortcutsSetting } from './commands.js';
import classes from './layout.module.css';

const shortcuts = [
  { keys: ['Ctrl', 'k'], action: 'Find animals, pages and actions' },
  { keys: ['/'], action: 'The same' },
  { keys: ['0', '…', '9'], action: 'Find an animal by number' },
  { keys: ['Shift', 'Enter'], action: 'Show all results of a search' },
  { keys: ['c'], action: 'Add an animal' },
  { keys: ['o'], action: 'Open the Overview' },
  { keys: ['n'], action: 'Show the new animals of today' },
  { keys: ['j'], action: 'Go to the next animal' },
  { keys: ['k'], action: 'Go to the previous animal' },
  { keys: ['Enter'], action: 'Open the animal' },
  { keys: ['?'], action: 'Show this help' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useShortcutsSetting();
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
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => setIsOn(currentTarget.checked)} />
        Use keyboard shortcuts on this device
      </label>
    </Dialog>
  );
}
