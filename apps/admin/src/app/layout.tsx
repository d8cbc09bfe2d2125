import { Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { AddNotice } from '../features/pets/add-notice.js';
import { Announcer } from '../shared/announcer.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import classes from './layout.module.css';
import { OfflineBanner } from './offline-banner.js';
import { useFocusOnNavigation } from './use-focus-on-navigation.js';

export function Layout() {
  useFocusOnNavigation();
  return (
    <div className="page">
      <a href="#content" className={classes.skip} onClick={skipToContent}>
        Skip to the content
      </a>
      <Header />
      <OfflineBanner />
      <AddNotice />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
      <Footer />
      <Announcer />
    </div>
  );
}

/** Without a fragment in the address, which would be shared and restored along with the place. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}
