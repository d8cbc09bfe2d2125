import { Button } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { ErrorDetails } from '../../shared/error-notice.js';
import { Logo } from '../../shared/logo.js';
import { signOut, useSignInError } from '../../shared/session.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** Replaces every page until the person has signed in. The address stays the same. */
export function SignInPage() {
  const error = useSignInError();
  return (
    <div className="page">
      <title>Sign in · Petstore</title>
      <header className="header">
        <div className="container bar">
          <span className="brand">
            <Logo /> Petstore
          </span>
        </div>
      </header>
      <main className={classes.page}>
        <div className={`panel ${classes.card}`}>
          <h1 className={classes.heading}>Sign in to Petstore</h1>
          <SignInForm submitLabel="Sign in" firstError={error} />
        </div>
      </main>
    </div>
  );
}

/** Opens over the page when the service rejects the key: the page keeps its position and its form. */
export function SignInDialog({ rejection }: { rejection: Error }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      // Returns the focus to where it was, if that element still exists.
      element?.close();
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  // Browsers that do not know `closedby` close it on Escape.
  const reopen = () => dialog.current?.showModal();
  return (
    <dialog
      ref={dialog}
      className={`panel ${classes.dialog}`}
      aria-labelledby="sign-in-again"
      closedby="none"
      onClose={reopen}
    >
      <h2 id="sign-in-again" className={classes.heading}>
        Sign in again
      </h2>
      <p className={classes.text}>Your key is no longer valid. Your work is saved. Sign in to continue.</p>
      <ErrorDetails error={rejection} />
      <SignInForm submitLabel="Sign in and continue" />
      <Button variant="subtle" fullWidth mt="xs" onClick={signOut}>
        Sign out instead
      </Button>
    </dialog>
  );
}
