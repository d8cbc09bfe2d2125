import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mark } from '../shared/mark.js';
import { signOut } from '../shared/session.js';
import classes from './layout.module.css';

/** As in index.html, and with what it can do. */
export function Header() {
  return (
    <header className="header">
      <div className="bar">
        <Link to="/pets" className="brand" activeOptions={{ exact: true, includeSearch: false }}>
          <Mark /> Petstore
        </Link>
        <Button variant="subtle" color="gray" className={classes.signOut} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </header>
  );
}
