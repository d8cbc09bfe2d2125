import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ButtonLink } from '../shared/links.js';
import { ErrorNotice } from '../shared/error-notice.js';
import { focusFindField, readLastAdded } from '../shared/focus.js';
import { CodeNotLoaded, hasNewVersion } from '../shared/load-code.js';
import { RefreshIcon, SearchIcon } from '../shared/icons.js';
import { EmptyState, Page } from '../shared/page.js';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon={<SearchIcon />}
        actions={
          <>
            <Button onClick={focusFindField}>Search</Button>
            <ButtonLink to="/pets" variant="default">
              Show all animals
            </ButtonLink>
          </>
        }
      >
        Check the address, or search for the animal.
      </EmptyState>
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
  const lastAdded = readLastAdded();
  if (isNewVersion) return <NewVersionPage />;
  const retry = async () => {
    if (error instanceof CodeNotLoaded) await error.retry();
    reset?.();
  };
  return (
    <Page title="This page can't be shown">
      <ErrorNotice error={error} onRetry={() => void retry()}>
        {lastAdded && <p>{`Before this error: ${lastAdded}. Do not add it again.`}</p>}
      </ErrorNotice>
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
      <EmptyState
        icon={<RefreshIcon />}
        actions={<Button onClick={() => location.reload()}>Reload for the new version</Button>}
      >
        This page needs the new version. An animal that you have not added yet stays in its form.
      </EmptyState>
    </Page>
  );
}
