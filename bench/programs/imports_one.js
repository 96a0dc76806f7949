// One of 25 modules of 20 KB.
import { total_1 } from '1.js';

async () => total_1([]).sum
