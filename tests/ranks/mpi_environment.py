"""What tests start mpirun with."""

import os

# Tests run as root in containers, and with more processes than there are cores.  All are on one
# machine; where it has no network, Open MPI 5 would complain of that.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_btl_tcp_if_include="lo",
                   PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                   OMP_NUM_THREADS="1")
