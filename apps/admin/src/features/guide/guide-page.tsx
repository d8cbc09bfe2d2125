import { Stack } from '@mantine/core';
import guide from '../../../../../docs/staff.md';
import { Page } from '../../shared/page.js';
import classes from './guide.module.css';

/** The guide for staff, which the build turns into HTML. */
export function GuidePage() {
  return (
    <Page title="Guide">
      <div className={classes.guide}>
        <nav className="panel" aria-label="Sections of the guide">
          <Stack component="ul" gap="xs">
            {guide.sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} className="plainLink">
                  {title}
                </a>
              </li>
            ))}
          </Stack>
        </nav>
        <article className="panel" dangerouslySetInnerHTML={{ __html: guide.html }} />
      </div>
    </Page>
  );
}
