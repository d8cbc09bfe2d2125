import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mark } from '../shared/mark.js';
import { signOut } from '../shared/session.js';
import classes from './layout.module.css';

export function Header() {
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <Link to="/pets" className={classes.brand} activeOptions={{ exact: true, includeSearch: false }}>
          <Mark />
          <span>Petstore</span>
        </Link>
        <Button variant="subtle" color="gray" className={classes.signOut} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </header>
  );
}
