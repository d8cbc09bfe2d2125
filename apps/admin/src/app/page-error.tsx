import { ErrorNotice } from '../shared/error-notice.js';
import { Page } from '../shared/page.js';

/** A page that broke, or a part of this application that could not be fetched, such as one of an older version. */
export function PageError({ error }: { error: unknown }) {
  return (
    <Page title="This page cannot be shown">
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
