import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { announce } from '../../shared/announcer.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { signIn } from '../../shared/session.js';
import { checkKey } from './check-key.js';
import classes from './sign-in.module.css';

const eye = { 'aria-label': 'Show the key' };

export function SignInForm({ submitLabel }: { submitLabel: string }) {
  const keepHint = useId();
  const { error, missing, isChecking, submit, input } = useSignIn();
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {error !== undefined && <ErrorNotice error={error} title="Not signed in" />}
      <PasswordInput
        ref={input}
        name="key"
        label="API key"
        description="Whoever runs the service has it."
        error={missing && 'API key is missing.'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        visibilityToggleFocusable
        visibilityToggleButtonProps={eye}
      />
      <div className={classes.keep}>
        <Checkbox name="keep" label="Keep on this device" aria-describedby={keepHint} />
        <p id={keepHint}>Until you sign out. Otherwise it is kept for this tab alone.</p>
      </div>
      <Button type="submit" aria-disabled={isChecking} fullWidth>
        {isChecking ? 'Checking the key…' : submitLabel}
      </Button>
    </form>
  );
}

function useSignIn() {
  const [error, setError] = useState<unknown>();
  const [missing, setMissing] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isBusy = useRef(false);
  useEffect(() => input.current?.focus(), []);

  const check = async (key: string, isKept: boolean) => {
    isBusy.current = true;
    setIsChecking(true);
    setError(undefined);
    try {
      await checkKey(key);
      announce('Signed in');
      signIn(key, isKept);
    } catch (failure) {
      setError(failure);
      input.current?.focus();
    }
    isBusy.current = false;
    setIsChecking(false);
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy.current) return;
    const fields = new FormData(event.currentTarget);
    const given = fields.get('key');
    const key = typeof given === 'string' ? given.trim() : '';
    setMissing(key === '');
    if (key === '') input.current?.focus();
    else void check(key, fields.has('keep'));
  };

  return { error, missing, isChecking, submit, input };
}
