import type { PetStatus } from '@petstore/contracts';

export const statusLabels: Record<PetStatus, string> = { available: 'Available', pending: 'Pending', sold: 'Sold' };
