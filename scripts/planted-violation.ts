// It breaks a rule: the check of the import rules fails unless it reports this import.
export type { AppModule } from '../apps/api/src/app.module.js';
