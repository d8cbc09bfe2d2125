import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './pets.module.css';

/** Tells that the form was not empty, and empties it. */
export function RestoredNote({ onClear }: { onClear: () => void }) {
  const [isShown, setIsShown] = useState(true);
  if (!isShown) return null;
  const clear = () => {
    setIsShown(false);
    onClear();
  };
  return (
    <p className={classes.restored}>
      This is what you left here.{' '}
      <Button variant="subtle" size="compact-md" onClick={clear}>
        Empty the form
      </Button>
    </p>
  );
}
