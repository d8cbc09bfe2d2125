import { Injectable, NotFoundException } from '@nestjs/common';
import type { CreatePetDto, ListPetsDto } from './pet.dto.js';
import { PrismaService } from './prisma.service.js';

const select = { id: true, name: true, categoryId: true, status: true } as const;

@Injectable()
export class PetsService {
  constructor(private readonly prisma: PrismaService) {}

  findAll({ status, limit, after }: ListPetsDto) {
    return this.prisma.pet.findMany({
      select,
      where: { ...(status && { status }), ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: limit,
    });
  }

  async findOne(id: number) {
    const pet = await this.prisma.pet.findUnique({ select, where: { id } });
    if (!pet) throw new NotFoundException(`No pet has the id ${id}.`);
    return pet;
  }

  create(data: CreatePetDto) {
    return this.prisma.pet.create({ select, data });
  }
}
