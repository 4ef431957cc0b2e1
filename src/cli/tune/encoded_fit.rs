//! The fits to encoded positions: evaluation, move ordering and network. Front ends supply the
//! ties of the weights, and convert the fitted vectors to weights of their game.

use anyhow::Result;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::dataset::Split;
use super::evaluation::Evaluation;
use super::net::NetFit;
use super::ordering::Ordering;
use super::report::{EvaluationReport, Odds, OrderingReport};
use super::stage::fit_stage;
use super::ties::Ties;
use super::train::{Fit, FitSchedule};

/// Positions per step of the network.
const NET_BATCH: usize = 2048;

/// The positions of a fit and its settings.
pub(super) struct EncodedFit<'a> {
    pub args: &'a Args,
    /// The positions and their targets.
    pub evaluation: Evaluation<'a>,
    /// The move ordering.
    pub ordering: Ordering<'a>,
    /// Points of the search per unit of log-odds.
    pub search_scale: f32,
    /// All positions.
    pub split: Split,
    /// Those with candidates.
    pub choices: Split,
}

impl EncodedFit<'_> {
    fn table_schedule(&self) -> FitSchedule {
        let Args { epochs, batch, rate, seed, .. } = *self.args;
        FitSchedule { epochs, batch, rate, seed }
    }

    /// Fits the evaluation without network.
    ///
    /// # Errors
    /// Those of [`fit_stage`].
    pub fn fit_evaluation(&self, ties: &Ties, checkpoint: &mut Checkpoint) -> Result<Fit> {
        let (parts, schedule) = (self.split.parts(), self.table_schedule());
        fit_stage("evaluation", &self.evaluation, ties, parts, &schedule, checkpoint)
    }

    /// Fits the move ordering.
    ///
    /// # Errors
    /// Those of [`fit_stage`].
    pub fn fit_ordering(&self, ties: &Ties, checkpoint: &mut Checkpoint) -> Result<Fit> {
        let (parts, schedule) = (self.choices.parts(), self.table_schedule());
        fit_stage("ordering", &self.ordering, ties, parts, &schedule, checkpoint)
    }

    /// Fits a network.
    ///
    /// # Errors
    /// Those of [`fit_stage`].
    pub fn fit_net(&self, net: &NetFit, ties: &Ties, checkpoint: &mut Checkpoint) -> Result<Fit> {
        let Args { net_epochs, net_rate, seed, .. } = *self.args;
        let schedule = FitSchedule { epochs: net_epochs, batch: NET_BATCH, rate: net_rate, seed };
        fit_stage("net", net, ties, self.split.parts(), &schedule, checkpoint)
    }

    /// Prints the losses of evaluations on the held-out positions; returns that of the
    /// first against the targets.
    pub fn report_evaluation(&self, evaluations: &[(&'static str, Odds)]) -> f64 {
        let Evaluation { positions, targets, .. } = self.evaluation;
        let (labels, valid) = (positions.labels(), &self.split.valid);
        let report = EvaluationReport::new(labels, targets, valid, self.search_scale, evaluations);
        println!("{report}");
        report.loss(0)
    }

    /// Prints how well two vectors of the ordering, from before and after the fit, order the
    /// moves of the held-out positions; returns the loss of the first.
    pub fn report_ordering(&self, vectors: [&[f32]; 2]) -> f64 {
        let report = OrderingReport::new(&self.ordering, &self.choices.valid, vectors);
        println!("{report}");
        report.losses()[0]
    }
}
