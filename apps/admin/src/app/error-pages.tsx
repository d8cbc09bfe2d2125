import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ButtonLink } from '../shared/links.js';
import { ErrorNotice } from '../shared/error-notice.js';
import { focusFindField } from '../shared/focus.js';
import { CodeNotLoaded, hasNewVersion } from '../shared/load-code.js';
import { Page } from '../shared/page.js';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>Check the address, or search for the animal.</p>
      <Group gap="sm">
        <Button onClick={focusFindField}>Search</Button>
        <ButtonLink to="/pets" variant="default">
          Show all animals
        </ButtonLink>
      </Group>
    </Page>
  );
}

interface ErrorPageProps {
  error: unknown;
  /** Renders the page again. */
  reset?: () => void;
}

/** For a page that fails to render, or whose code does not load. */
export function ErrorPage({ error, reset }: ErrorPageProps) {
  const isNewVersion = useIsNewVersion(error);
  if (isNewVersion) return <NewVersionPage />;
  const retry = async () => {
    if (error instanceof CodeNotLoaded) await error.retry();
    reset?.();
  };
  return (
    <Page title="This page can't be shown">
      <ErrorNotice error={error} onRetry={() => void retry()} />
    </Page>
  );
}

/** Whether the code did not load because the server has a newer version. */
function useIsNewVersion(error: unknown): boolean {
  const [isNew, setIsNew] = useState(false);
  useEffect(() => {
    const check = async () => setIsNew(await hasNewVersion());
    if (error instanceof CodeNotLoaded) void check();
  }, [error]);
  return isNew;
}

function NewVersionPage() {
  return (
    <Page title="Petstore was updated">
      <p>This page needs the new version. An animal that you have not added yet stays in its form.</p>
      <Button onClick={() => location.reload()}>Reload for the new version</Button>
    </Page>
  );
}
