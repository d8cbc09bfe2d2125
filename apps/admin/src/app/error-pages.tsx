import { Button, Group } from '@mantine/core';
import { ButtonLink } from '../shared/links.js';
import { ErrorNotice } from '../shared/error-notice.js';
import { focusFindField } from '../shared/focus.js';
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

/** For a page that fails to render, or code that fails to load, for example after an update. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <Page title="This page can't be shown">
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
