import { Injectable } from '@nestjs/common';
import { bootstrapKeyLock, startLock } from '../../platform/database/locks.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { ApiKey, NewApiKey } from './api-key.js';

/** Every column but the hash, which must not leak by accident. */
const columns = {
  id: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

type HashedApiKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'expiresAt'> & { hash: Uint8Array };

/** What happened to a key. `restored`: a revoked key is usable again. */
export interface KeyChange {
  change: 'created' | 'revoked' | 'restored';
  key: ApiKey;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** The keys that are not revoked, with their hashes. */
  findUsable(): Promise<HashedApiKey[]> {
    const select = { id: true, name: true, scopes: true, expiresAt: true, hash: true };
    return this.prisma.apiKey.findMany({ select, where: { revokedAt: null } });
  }

  findAll(): Promise<ApiKey[]> {
    return this.prisma.apiKey.findMany({ select: columns, orderBy: { id: 'asc' } });
  }

  find(id: number): Promise<ApiKey | null> {
    return this.prisma.apiKey.findUnique({ select: columns, where: { id } });
  }

  create(newKey: NewApiKey): Promise<ApiKey> {
    return this.prisma.apiKey.create({ select: columns, data: newKey });
  }

  /** Returns the created key. One of two processes that start at once creates the key. */
  createFirst(newKey: NewApiKey, announce: () => Promise<void>): Promise<ApiKey | undefined> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${startLock})`;
      if ((await transaction.apiKey.count()) > 0) return undefined;
      const key = await transaction.apiKey.create({ select: columns, data: newKey });
      // Before the commit: a key that was never shown must not be the only one.
      await announce();
      return key;
    });
  }

  /** Makes `newKey` the only usable key of its name. Returns what changed. */
  replaceByName({ hash, ...newKey }: NewApiKey, revokedAt: Date): Promise<KeyChange[]> {
    return this.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${bootstrapKeyLock})`;
      const revoked = await transaction.apiKey.updateManyAndReturn({
        select: columns,
        where: { name: newKey.name, revokedAt: null, NOT: { hash } },
        data: { revokedAt },
      });
      const before = await transaction.apiKey.findUnique({ select: columns, where: { hash } });
      const after = await transaction.apiKey.upsert({
        select: columns,
        where: { hash },
        create: { ...newKey, hash },
        update: { ...newKey, revokedAt: null },
      });
      const changes: KeyChange[] = revoked.map((key) => ({ change: 'revoked', key }));
      if (!before || before.revokedAt) changes.push({ change: before ? 'restored' : 'created', key: after });
      return changes;
    });
  }

  /** Returns the key unless it was revoked before. */
  async revoke(id: number, revokedAt: Date): Promise<ApiKey | undefined> {
    const where = { id, revokedAt: null };
    const [key] = await this.prisma.apiKey.updateManyAndReturn({ select: columns, where, data: { revokedAt } });
    return key;
  }

  /** Writes in the order of the ids: otherwise two processes could deadlock. Never sets an earlier time. */
  async saveLastUsed(uses: ReadonlyMap<number, Date>): Promise<void> {
    const inOrder = [...uses].toSorted(([a], [b]) => a - b);
    await this.prisma.$transaction(
      inOrder.map(([id, lastUsedAt]) => {
        const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: lastUsedAt } }] };
        return this.prisma.apiKey.updateMany({ where, data: { lastUsedAt } });
      }),
    );
  }
}
