import { Button, Checkbox, PasswordInput, Stack } from '@mantine/core';
import { removeBearer } from '@petstore/contracts';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { createClient, isApiKey } from '../../shared/client.js';
import { Dialog } from '../../shared/dialog.js';
import { ErrorDetails, ErrorNotice } from '../../shared/error-notice.js';
import { Logo } from '../../shared/icons.js';
import { signIn, signOut, type StoredKey, useSignInError } from '../../shared/session.js';
import classes from '../../shared/page.module.css';

/** Replaces every page until the person has signed in. The address stays the same. */
export function SignInPage() {
  const error = useSignInError();
  return (
    <>
      <title>Sign in · Petstore</title>
      <Stack component="main" mih="100dvh" align="center" justify="center" p="1.5rem 1rem 15vh">
        <Stack className="panel" gap="lg" w="min(26rem, 100%)">
          <Logo />
          <h1 className={classes.heading}>Sign in to Petstore</h1>
          <SignInForm submitLabel="Sign in" firstError={error} />
        </Stack>
      </Stack>
    </>
  );
}

/** Opens over the page when the service rejects the key: the page keeps its position and its form. */
export function SignInDialog({ rejection }: { rejection: Error }) {
  return (
    <Dialog title="Sign in again">
      <p>Your key is no longer valid. Your work is saved. Sign in to continue.</p>
      <ErrorDetails error={rejection} />
      <SignInForm submitLabel="Sign in and continue" />
      <Button variant="subtle" fullWidth onClick={signOut}>
        Sign out instead
      </Button>
    </Dialog>
  );
}

const showKeyButton = { 'aria-label': 'Show key' };

interface SignInFormProps {
  submitLabel: string;
  firstError?: Error | undefined;
}

function SignInForm({ submitLabel, firstError }: SignInFormProps) {
  const { submit, input, invalid, isPending, ...signingIn } = useSignIn();
  const error = signingIn.error ?? firstError;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {error && <ErrorNotice error={error} title="Couldn't sign in" />}
        <PasswordInput
          ref={input}
          label="Key"
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
          description="Otherwise only this tab is signed in, until you close it. On a shared computer, sign out when you finish."
        />
        <Button type="submit" aria-disabled={isPending} fullWidth>
          {isPending ? 'Signing in…' : submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

function useSignIn() {
  const input = useRef<HTMLInputElement>(null);
  const [invalid, setInvalid] = useState<string>();
  const focus = () => input.current?.focus();
  useEffect(() => input.current?.focus(), []);
  const { mutate, error, isPending } = useMutation({
    // Without retries: the person can press the button again.
    mutationFn: ({ key }: StoredKey) => createClient(key, { retries: 0 }).listPets({ limit: 1 }).page(),
    onSuccess: (_page, stored) => signIn(stored),
    onError: focus,
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const key = removeBearer(input.current?.value ?? '');
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
