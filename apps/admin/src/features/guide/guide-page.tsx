import { TableOfContents, Typography } from '@mantine/core';
import guide from '../../../../../docs/staff.md';
import { Page } from '../../shared/page.js';
import classes from './guide.module.css';

/** The guide for staff, which the build turns into HTML. */
export function GuidePage() {
  return (
    <Page title="Guide">
      <div className={classes.guide}>
        <Typography component="article" className="panel" dangerouslySetInnerHTML={{ __html: guide }} />
        <TableOfContents
          component="nav"
          aria-label="Sections of the guide"
          variant="light"
          size="sm"
          scrollSpyOptions={{ selector: 'article h2', offset: 80 }}
          getControlProps={({ data: { id, value } }) => ({ component: 'a', href: `#${id}`, children: value })}
        />
      </div>
    </Page>
  );
}
