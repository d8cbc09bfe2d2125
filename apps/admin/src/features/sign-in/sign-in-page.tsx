import { Mark } from '../../shared/mark.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** Instead of any page, as long as nobody is signed in; the address stays what it was. */
export function SignInPage() {
  return (
    <main className={classes.page}>
      <title>Sign in · Petstore</title>
      <div className={classes.card}>
        <Mark size={48} />
        <h1 className={classes.heading}>Sign in to Petstore</h1>
        <SignInForm submitLabel="Sign in" />
      </div>
    </main>
  );
}
