import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { signOut } from '../../shared/session.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** Over the page, which keeps its place and its form, when the service no longer takes the key. */
export function SignInDialog({ refusal }: { refusal: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      // Gives the focus back to where it was, if that is still there.
      element?.close();
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  // Browsers that do not know closedby let Escape close it.
  const stay = () => dialog.current?.showModal();
  return (
    <dialog ref={dialog} className={classes.dialog} aria-labelledby="sign-in-again" closedby="none" onClose={stay}>
      <h2 id="sign-in-again" className={classes.heading}>
        Sign in again
      </h2>
      <p className={classes.text}>{refusal}</p>
      <p className={classes.text}>Your page is kept as it is, and goes on where it was.</p>
      <SignInForm submitLabel="Sign in and go on" />
      <Button variant="subtle" color="gray" fullWidth onClick={signOut} className={classes.signOut}>
        Sign out instead
      </Button>
    </dialog>
  );
}
