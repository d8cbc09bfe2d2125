import { ButtonLink } from '../shared/button-link.js';
import { ErrorNotice } from '../shared/error-notice.js';
import { Page } from '../shared/page.js';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>Check the address, or go to the list of animals.</p>
      <ButtonLink to="/pets">Show all animals</ButtonLink>
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
