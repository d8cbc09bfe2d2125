import { Mark } from '../../shared/mark.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** Instead of any page, as long as nobody is signed in; the address stays what it was. */
export function SignInPage() {
  return (
    <div className="page">
      <title>Sign in · Petstore</title>
      <header className="header">
        <div className="bar">
          <span className="brand">
            <Mark /> Petstore
          </span>
        </div>
      </header>
      <main className={classes.page}>
        <div className={classes.card}>
          <h1 className={classes.heading}>Sign in to Petstore</h1>
          <SignInForm submitLabel="Sign in" />
        </div>
      </main>
    </div>
  );
}
