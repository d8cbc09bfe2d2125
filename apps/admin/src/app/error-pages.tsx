import { ButtonLink } from '../shared/links.js';
import { Page } from '../shared/page.js';

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <p>There is nothing at this address. It may be mistyped, or from another version.</p>
      <ButtonLink to="/pets">Show the animals</ButtonLink>
    </Page>
  );
}
