import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { createClient, isApiKey } from '../../shared/create-client.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import type { StoredKey } from '../../shared/key-storage.js';
import { signIn } from '../../shared/session.js';
import classes from './sign-in.module.css';

const showKeyButton = { 'aria-label': 'Show key' };

interface SignInFormProps {
  submitLabel: string;
  /** Why an earlier key was rejected. */
  firstError?: Error | undefined;
}

export function SignInForm({ submitLabel, firstError }: SignInFormProps) {
  const { submit, input, invalid, isPending, ...signingIn } = useSignIn();
  const error = signingIn.error ?? firstError;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {error && <ErrorNotice error={error} title="Couldn't sign in" />}
      <PasswordInput
        ref={input}
        label="API key"
        description="Ask your manager for a key."
        error={invalid}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        visibilityToggleFocusable
        visibilityToggleButtonProps={showKeyButton}
      />
      <Checkbox
        name="isShared"
        label="Stay signed in on this device"
        description="Until you sign out. Otherwise, until you close all tabs of Petstore."
      />
      <Button type="submit" aria-disabled={isPending} fullWidth>
        {isPending ? 'Signing in…' : submitLabel}
      </Button>
    </form>
  );
}

function useSignIn() {
  const input = useRef<HTMLInputElement>(null);
  const [invalid, setInvalid] = useState<string>();
  const focus = () => input.current?.focus();
  useEffect(() => input.current?.focus(), []);
  const { mutate, error, isPending } = useMutation({
    // Without retries: after too many wrong keys, the service asks for a wait of up to a minute.
    mutationFn: ({ key }: StoredKey) => createClient(key, { retries: 0 }).listPets({ limit: 1 }).page(),
    onSuccess: (_page, stored) => signIn(stored),
    onError: focus,
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const key = input.current?.value.trim() ?? '';
    const isShared = new FormData(event.currentTarget).has('isShared');
    const problem = keyProblem(key);
    setInvalid(problem);
    if (problem) focus();
    else mutate({ key, isShared });
  };

  return { submit, input, invalid, error, isPending };
}

function keyProblem(key: string): string | undefined {
  if (key === '') return 'Enter your key';
  return isApiKey(key) ? undefined : 'Check the key: it contains a space or a character that is not allowed';
}
