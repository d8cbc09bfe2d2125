import { Button } from '@mantine/core';
import { useState } from 'react';
import { keepSignedIn, useSession } from '../shared/session.js';
import { useFocusFallback } from '../shared/use-focus-fallback.js';
import classes from './layout.module.css';

/** Offers the choice of the sign-in form to a person who signed in with a link. */
export function StaySignedInOffer() {
  const session = useSession();
  const [isDismissed, setIsDismissed] = useState(false);
  if (!session?.isFromLink || session.isShared || isDismissed) return null;
  return <Offer onDismiss={() => setIsDismissed(true)} />;
}

function Offer({ onDismiss }: { onDismiss: () => void }) {
  const ref = useFocusFallback<HTMLElement>();
  return (
    <section ref={ref} aria-label="Stay signed in" className={`container ${classes.offer}`}>
      <p>{"You're signed in until you close all tabs."}</p>
      <Button variant="default" size="compact-md" onClick={() => keepSignedIn(true)}>
        Stay signed in on this device
      </Button>
      <Button variant="subtle" size="compact-md" onClick={onDismiss}>
        Not now
      </Button>
    </section>
  );
}
