import { Button } from '@mantine/core';
import { NotFound } from '../shared/links.js';
import { ErrorNotice } from '../shared/error-notice.js';
import { readLastAdded } from '../shared/focus.js';
import { RefreshIcon } from '../shared/icons.js';
import { Page } from '../shared/page.js';

export function NotFoundPage() {
  return <NotFound title="Page not found">Check the address, or search for the animal.</NotFound>;
}

/** For a page that fails to render, or whose code does not load. */
export function ErrorPage({ error }: { error: unknown }) {
  const lastAdded = readLastAdded();
  return (
    <Page title="This page can't be shown">
      <ErrorNotice error={error}>
        {lastAdded && <p>{`Before this error: ${lastAdded}. Do not add it again.`}</p>}
        <Button variant="default" leftSection={<RefreshIcon />} onClick={() => location.reload()}>
          Reload
        </Button>
      </ErrorNotice>
    </Page>
  );
}
