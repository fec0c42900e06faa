//! CPUs, SMT siblings, shared caches, NUMA nodes, and the sched domains that kernels built over them.

use crate::units::{CpuId, CpuMask};

/// Level of a sched domain, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DomainLevel {
    /// Threads of one core.
    Smt,
    /// Cores that share a package (or all CPUs of a flat machine).
    Phys,
    /// NUMA nodes.
    Numa,
}

/// A sched domain as one CPU sees it: its span and its groups, **own group first**, then in ring order.
#[derive(Clone, Debug)]
pub struct SchedDomain {
    /// Level.
    pub level: DomainLevel,
    /// CPUs covered.
    pub span: CpuMask,
    /// Groups; the first holds this CPU.
    pub groups: Vec<CpuMask>,
}

/// Shape of the machine. CPU numbers are dense: thread fastest, then core, then package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TopologySpec {
    /// Packages, 1 or more. Each is also a NUMA node if `numa`.
    pub packages: u16,
    /// Cores per package.
    pub cores: u16,
    /// SMT threads per core.
    pub threads: u16,
    /// Packages are NUMA nodes.
    pub numa: bool,
    /// CPUs that share one last-level cache; 0 = a whole package.
    pub cache_cpus: u16,
}

impl TopologySpec {
    /// `cpus` equal CPUs without structure.
    pub fn flat(cpus: u16) -> Self {
        TopologySpec { packages: 1, cores: cpus, threads: 1, numa: false, cache_cpus: 1 }
    }

    /// Number of CPUs.
    pub fn cpus(&self) -> u16 {
        self.packages * self.cores * self.threads
    }
}

/// The machine's CPUs with every CPU's domains.
#[derive(Clone, Debug)]
pub struct Topology {
    spec: TopologySpec,
    cpus: u16,
    domains: Vec<Vec<SchedDomain>>,
}

impl Topology {
    /// Builds the domains of every CPU: SMT (if threads > 1), Phys (if more than one core per package, or the machine
    /// is one package), NUMA (if more than one package and `numa`; otherwise packages fall into one Phys domain).
    pub fn new(spec: TopologySpec) -> Self {
        let cpus = spec.cpus();
        let domains = (0..cpus).map(|cpu| domains_of(&spec, cpu)).collect();
        Topology { spec, cpus, domains }
    }

    /// Number of CPUs.
    #[inline]
    pub fn cpus(&self) -> u16 {
        self.cpus
    }

    /// All CPU ids in ascending order.
    pub fn cpu_ids(&self) -> impl Iterator<Item = CpuId> + use<> {
        (0..self.cpus).map(CpuId)
    }

    /// The shape it was built from.
    pub fn spec(&self) -> &TopologySpec {
        &self.spec
    }

    /// Sched domains of `cpu`, lowest level first. Empty on one CPU.
    #[inline]
    pub fn domains(&self, cpu: CpuId) -> &[SchedDomain] {
        &self.domains[cpu.index()]
    }

    /// CPUs of the same core (SMT siblings), `cpu` included.
    pub fn siblings(&self, cpu: CpuId) -> CpuMask {
        let first = cpu.0 / self.spec.threads * self.spec.threads;
        range(first, self.spec.threads)
    }

    /// Whether two CPUs share a last-level cache.
    pub fn share_cache(&self, a: CpuId, b: CpuId) -> bool {
        let size = match self.spec.cache_cpus {
            0 => self.spec.cores * self.spec.threads,
            n => n,
        };
        a.0 / size == b.0 / size
    }
}

fn range(first: u16, count: u16) -> CpuMask {
    let mut mask = CpuMask::EMPTY;
    for cpu in first..first + count {
        mask.insert(CpuId(cpu));
    }
    mask
}

/// Groups of `size` CPUs over `first..first + count`, beginning with the one that holds `cpu`, in ring order.
fn ring(first: u16, count: u16, size: u16, cpu: u16) -> Vec<CpuMask> {
    let groups = count / size;
    let own = (cpu - first) / size;
    (0..groups).map(|i| range(first + (own + i) % groups * size, size)).collect()
}

fn domains_of(spec: &TopologySpec, cpu: u16) -> Vec<SchedDomain> {
    let per_package = spec.cores * spec.threads;
    let all = spec.packages * per_package;
    let mut domains = Vec::new();
    let mut push = |level, first, count, size| {
        if count > size {
            domains.push(SchedDomain { level, span: range(first, count), groups: ring(first, count, size, cpu) });
        }
    };
    push(DomainLevel::Smt, cpu / spec.threads * spec.threads, spec.threads, 1);
    if spec.numa {
        push(DomainLevel::Phys, cpu / per_package * per_package, per_package, spec.threads);
        push(DomainLevel::Numa, 0, all, per_package);
    } else {
        push(DomainLevel::Phys, 0, all, spec.threads);
    }
    domains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_get_an_smt_and_a_physical_domain_with_the_own_group_first() {
        let topology = Topology::new(TopologySpec { packages: 1, cores: 2, threads: 2, numa: false, cache_cpus: 0 });
        let domains = topology.domains(CpuId(3));
        assert_eq!(domains.len(), 2);
        assert_eq!(domains[0].groups, [CpuMask::single(CpuId(3)), CpuMask::single(CpuId(2))]);
        assert_eq!(domains[1].groups, [range(2, 2), range(0, 2)]);
        assert!(topology.siblings(CpuId(3)).contains(CpuId(2)));
    }

    #[test]
    fn a_flat_machine_has_one_domain_and_one_cpu_none() {
        assert_eq!(Topology::new(TopologySpec::flat(4)).domains(CpuId(2))[0].groups.len(), 4);
        assert!(Topology::new(TopologySpec::flat(1)).domains(CpuId(0)).is_empty());
    }
}
