export * from './api-key.js';
export * from './category.js';
export * from './error.js';
export * from './idempotency.js';
export * from './int64.js';
export * from './list-pets.js';
export * from './new-pet-rules.js';
export * from './pet.js';
