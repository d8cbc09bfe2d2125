import { isConnectionLost } from './database-error.js';

/** Runs a read once more if its connection broke, for example because the database failed over. */
export async function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return read();
  }
}
