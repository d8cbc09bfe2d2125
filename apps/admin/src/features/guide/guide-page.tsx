import guide from '../../../../../docs/staff.md';
import { Page } from '../../shared/page.js';
import classes from '../../shared/shared.module.css';

/** The guide for staff, which the build turns into HTML. */
export function GuidePage() {
  return (
    <Page title="Guide">
      <article className={`panel ${classes.guide}`} dangerouslySetInnerHTML={{ __html: guide }} />
    </Page>
  );
}
