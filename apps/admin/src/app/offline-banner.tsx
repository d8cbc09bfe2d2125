import { AlertIcon } from '../shared/icons.js';
import { useOnline } from '../shared/use-online.js';
import classes from './layout.module.css';

export function OfflineBanner() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={classes.offline}>
          <AlertIcon />
          This device is offline. What you see may be old, and nothing can be added until it is back.
        </p>
      )}
    </div>
  );
}
